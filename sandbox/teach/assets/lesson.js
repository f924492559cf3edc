"use strict";
(function () {
  const words = JSON.parse(document.getElementById("words").textContent);
  const pictures = JSON.parse(document.getElementById("pictures").textContent);
  for (const image of document.querySelectorAll("img[data-picture]")) {
    image.src = pictures[Number(image.dataset.picture)];
  }

  for (const image of document.querySelectorAll("img[data-turns]")) {
    const turns = image.dataset.turns.split(" ").map(Number);
    let at = 0, from = null;
    image.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX, at: at };
      image.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    image.addEventListener("pointermove", (event) => {
      if (from === null) return;
      const wide = image.clientWidth || 600;
      const steps = Math.round((from.x - event.clientX) / wide * turns.length);
      const next = (((from.at + steps) % turns.length) + turns.length) % turns.length;
      if (next !== at) {
        at = next;
        image.src = pictures[turns[at]];
      }
    });
    for (const end of ["pointerup", "pointercancel"]) image.addEventListener(end, () => { from = null; });
  }

  function choosePack(lesson, pack) {
    for (const course of lesson.querySelectorAll(".course")) course.hidden = course.dataset.pack !== pack;
    for (const button of lesson.querySelectorAll("[data-choose-pack]")) {
      button.setAttribute("aria-pressed", String(button.dataset.choosePack === pack));
    }
  }
  for (const lesson of document.querySelectorAll(".lesson")) {
    for (const button of lesson.querySelectorAll("[data-choose-pack]")) {
      button.addEventListener("click", () => choosePack(lesson, button.dataset.choosePack));
    }
    const first = lesson.querySelector("[data-choose-pack]");
    if (first) choosePack(lesson, first.dataset.choosePack);
  }

  function score(course) {
    const cards = Array.from(course.querySelectorAll(".card.ask"));
    const met = cards.filter((card) => card.dataset.point !== undefined);
    const line = course.querySelector("[data-score]");
    line.hidden = met.length < cards.length;
    const points = met.filter((card) => card.dataset.point === "1").length, of = cards.length;
    const share = of ? points / of : 1;
    const name = share === 1 ? "score-all" : share >= 0.6 ? "score-most" : "score-some";
    line.textContent = words[name].replace("{points}", points).replace("{of}", of);
  }

  function judge(card, button) {
    const right = button.dataset.right === "1", place = button.classList.contains("place");
    const judged = card.querySelector(".judged");
    button.classList.add(right ? "right" : "wrong");
    judged.className = "judged " + (right ? "right" : "wrong");
    const told = [right ? words.right : words.wrong];
    if (button.dataset.told) told.push(button.dataset.told);
    if (card.dataset.point === undefined) card.dataset.point = right ? "1" : "0";
    const done = right || !place;
    if (!right && place) told.push(words.reveal);
    if (!right && !place) {
      const answer = card.querySelector('.choice[data-right="1"]');
      answer.classList.add("right");
      told.push(words.answer.replace("{letter}", answer.querySelector("b").textContent));
    }
    judged.textContent = told.join(" ");
    if (done) {
      for (const other of card.querySelectorAll(".choice")) other.disabled = true;
      for (const hidden of card.querySelectorAll(".because, .then")) hidden.hidden = false;
    } else {
      button.disabled = true;
    }
    score(card.closest(".course"));
  }
  for (const card of document.querySelectorAll(".card.ask")) {
    for (const button of card.querySelectorAll(".choice")) {
      button.addEventListener("click", () => judge(card, button));
    }
  }
  document.body.dataset.ready = "true";
})();
