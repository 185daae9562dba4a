// Through a game's past: the number field becomes a slider that shows each position as it passes, and a
// button plays one after the other. Without this file the field and the links lead to the same pages.
(() => {
  "use strict";
  let busy = null, timer = 0, playing = false, pace = 1000;
  const form = () => document.querySelector("[data-slider]");
  const field = f => f.querySelector("[type=number]"), slider = f => f.querySelector("[type=range]");

  const files = d => [...d.querySelectorAll('link[rel="stylesheet"], script[src]')].map(e => e.getAttribute("href") || e.getAttribute("src")).join();

  // The page of a version is put around the slider, which stays where it is: a finger may lie on it.
  const show = async n => {
    if (busy) busy.abort();
    busy = new AbortController();
    const f = form(), address = f.dataset.slider + n + f.dataset.as;
    const res = await fetch(address, {signal: busy.signal, headers: {Accept: "text/html"}});
    if (!res.ok) throw new Error("status " + res.status);
    const next = new DOMParser().parseFromString(await res.text(), "text/html"), there = next.querySelector("[data-slider]");
    if (!there || f !== form() || files(next) !== files(document)) throw new Error("no game, or of another version of the program");
    const title = next.querySelector("h1").textContent;
    for (const part of [".table-head", ".story-column"]) document.querySelector(part).replaceWith(next.querySelector(part));
    const around = [...there.parentElement.childNodes], at = around.indexOf(there);
    const box = document.querySelector(".board-box"), seen = box ? [box.scrollLeft, box.scrollTop, box.className] : null;
    [...f.parentElement.childNodes].forEach(e => { if (e !== f) e.remove(); });
    f.before(...around.slice(0, at));
    f.after(...around.slice(at + 1));
    const now = document.querySelector(".board-box");
    if (now && seen) { now.className = seen[2]; now.scrollTo(seen[0], seen[1]); }
    field(f).value = slider(f).value = n;
    reach();
    slider(f).setAttribute("aria-valuetext", title);
    document.title = next.title;
    history.replaceState(history.state, "", address);
  };
  const go = n => show(n).catch(err => { if (err.name !== "AbortError") location.assign(form().dataset.slider + n + form().dataset.as); });

  const play = on => {
    playing = on;
    clearTimeout(timer);
    const b = form() && form().querySelector(".play");
    if (b) { b.textContent = on ? form().dataset.pause : form().dataset.play; b.setAttribute("aria-pressed", on); }
  };
  const step = () => {
    const s = form() && slider(form());
    if (!playing || !s || document.hidden) return play(false);
    if (+s.value >= +s.max) return play(false);
    show(+s.value + 1).then(() => { timer = setTimeout(step, pace); }, () => play(false));
  };

  const make = (tag, set) => Object.assign(document.createElement(tag), set);
  const ready = () => {
    const f = form();
    if (!f || slider(f)) return;
    play(false);
    const n = field(f), s = make("input", {type: "range"});
    for (const name of ["min", "max", "value"]) s.setAttribute(name, n.getAttribute(name));
    s.setAttribute("aria-label", n.closest("label").textContent.trim());
    s.addEventListener("input", () => { play(false); go(s.value); });
    const b = make("button", {type: "button", className: "play", textContent: f.dataset.play});
    b.addEventListener("click", () => {
      if (playing) return play(false);
      play(true);
      if (+s.value >= +s.max) show(1).then(() => { timer = setTimeout(step, pace); }, () => play(false)); else step();
    });
    const label = make("label", {textContent: f.dataset.speed + " "}), speeds = make("select", {});
    f.dataset.speeds.split("|").forEach((text, i) => {
      const ms = [2500, 1000, 300][i];
      speeds.append(make("option", {value: ms, textContent: text, selected: ms === pace}));
    });
    speeds.addEventListener("change", () => { pace = +speeds.value; });
    label.append(speeds);
    f.prepend(s, b, label);
  };
  // The list of moves begins where the reader is.
  const reach = () => {
    const now = document.querySelector(".story.long .now");
    if (!now) return;
    const box = now.parentElement, a = now.getBoundingClientRect(), b = box.getBoundingClientRect();
    box.scrollTop += a.top + a.height / 2 - b.top - b.height / 2;
  };
  ready();
  reach();
  const main = document.querySelector("main");
  if (main) new MutationObserver(() => { ready(); reach(); }).observe(main, {childList: true});
})();
