"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filter");
  const items = Array.from(document.querySelectorAll("ol.findings > li"));
  const marks = Array.from(document.querySelectorAll(".mark"));
  const figures = Array.from(document.querySelectorAll("figure"));
  const buttons = Array.from(document.querySelectorAll(".views button"));
  const byNumber = new Map(data.findings.map((f) => [f.number, f]));
  let chosen = null;

  function wanted(finding) {
    const base = form.elements.base.value, pack = form.elements.pack.value;
    const levels = new Set(Array.from(form.elements.severity).filter((b) => b.checked).map((b) => b.value));
    const topics = new Set(Array.from(form.elements.topic).filter((b) => b.checked).map((b) => b.value));
    if (!topics.has(finding.topic)) return null;
    const cases = finding.cases.filter((c) =>
      (base === "" || c.base === null || c.base === base) && (pack === "" || c.pack === null || c.pack === pack));
    if (finding.cases.length && !cases.length) return null;
    const order = ["info", "warning", "error"];
    let severity = finding.severity;
    if (cases.length && finding.accepted === null) {
      severity = order[Math.max(...cases.map((c) => order.indexOf(c.severity)))];
    }
    return levels.has(severity) ? severity : null;
  }

  function apply() {
    let shown = 0;
    const now = new Map();
    for (const item of items) {
      const severity = wanted(byNumber.get(Number(item.dataset.number)));
      now.set(item.dataset.number, severity);
      item.hidden = severity === null;
      if (severity !== null) {
        shown += 1;
        item.classList.remove("error", "warning", "info");
        item.classList.add(severity);
        item.querySelector(".severity").textContent = severity;
      }
    }
    for (const mark of marks) {
      const severity = now.get(mark.dataset.number);
      mark.hidden = severity === null;
      if (severity !== null) {
        mark.classList.remove("error", "warning", "info");
        mark.classList.add(severity);
      }
    }
    document.getElementById("shown").textContent = shown + " of " + items.length + " shown";
    document.getElementById("none").hidden = shown > 0;
    colour();
  }

  function colour() {
    const base = form.elements.base.value || data.bases[0], pack = form.elements.pack.value || data.packs[0];
    const reach = new Map();
    for (const floor of data.floors) {
      for (const row of floor.reach) {
        if (row.base === base && row.pack === pack) reach.set(String(floor.number), row);
      }
    }
    for (const layer of document.querySelectorAll(".floor")) {
      const row = reach.get(layer.dataset.floor);
      const holds = layer.dataset.bases.split(" ").includes(base);
      layer.className = "floor" + (!row ? "" : holds ? " " + row.reach : " too-small");
    }
    document.getElementById("who").textContent = base + " mm base, " + pack;
    for (const row of document.querySelectorAll("tr[data-base]")) {
      row.hidden = row.dataset.base !== base || row.dataset.pack !== pack;
    }
  }

  function choose(number, scroll) {
    chosen = number === chosen ? null : number;
    for (const node of items.concat(marks)) node.classList.toggle("chosen", node.dataset.number === chosen);
    remember();
    if (chosen === null) return;
    const item = items.find((i) => i.dataset.number === chosen);
    if (scroll && item) item.scrollIntoView({ block: "nearest", behavior: "smooth" });
    const open = figures.find((f) => !f.hidden);
    const here = (f) => f && f.querySelector('.mark[data-number="' + chosen + '"]:not(.behind)');
    if (!here(open)) {
      const better = figures.findIndex(here);
      if (better >= 0) show(better);
    }
  }

  function show(index) {
    figures.forEach((figure, k) => { figure.hidden = k !== index; });
    buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === index)));
  }

  // What is chosen stands in the address, so that a link leads to one finding: page.html#base=32&pack=blightmeer&finding=3
  function remember() {
    const parts = [];
    if (form.elements.base.value) parts.push("base=" + encodeURIComponent(form.elements.base.value));
    if (form.elements.pack.value) parts.push("pack=" + encodeURIComponent(form.elements.pack.value));
    if (chosen !== null) parts.push("finding=" + chosen);
    history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
  }

  function recall() {
    const told = new URLSearchParams(location.hash.slice(1));
    for (const name of ["base", "pack"]) {
      const field = form.elements[name], value = told.get(name) || "";
      if (Array.from(field.options).some((option) => option.value === value)) field.value = value;
    }
    apply();
    const number = told.get("finding");
    if (number !== null && number !== chosen && byNumber.has(Number(number))) choose(number, true);
  }

  buttons.forEach((button, index) => button.addEventListener("click", () => show(index)));
  for (const mark of marks) mark.addEventListener("click", () => choose(mark.dataset.number, true));
  for (const item of items) {
    item.addEventListener("click", () => { if (!String(getSelection())) choose(item.dataset.number, false); });
    item.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(item.dataset.number, false); }
    });
  }
  form.addEventListener("change", () => { apply(); remember(); });
  window.addEventListener("hashchange", recall);
  form.addEventListener("submit", (event) => event.preventDefault());
  show(0);
  recall();
  document.documentElement.dataset.ready = "true";
})();
