(() => {
  const form = document.getElementById("filter");
  const builds = [...document.querySelectorAll("details[data-kinds]")];
  const count = document.getElementById("shown");
  const apply = () => {
    const kind = form.elements.kind.value, least = form.elements.least.value, text = form.elements.text.value.toLowerCase();
    const rank = { "": -1, info: 0, warning: 1, error: 2 };
    let shown = 0;
    for (const one of builds) {
      const fits = (!kind || one.dataset.kinds.split(" ").includes(kind)) && rank[one.dataset.worst] >= rank[least]
        && one.dataset.name.toLowerCase().includes(text);
      one.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${builds.length} shown`;
  };
  const show = () => {
    const one = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (one && one.tagName === "DETAILS") { one.hidden = false; one.open = true; one.scrollIntoView(); }
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", show);
  apply();
  show();
})();
