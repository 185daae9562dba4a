// A board that is wider than the window opens where something can be chosen; a card in full closes with Escape.
(() => {
  "use strict";
  const reveal = () => document.querySelectorAll(".board-box, .panel").forEach(box => {
    const at = box.querySelector(".tried") || box.querySelector("svg .open");
    if (!at || box.scrollWidth <= box.clientWidth) return;
    const a = at.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (a.left < b.left || a.right > b.right) box.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
  });
  reveal();
  const main = document.querySelector("main");
  if (main) new MutationObserver(() => requestAnimationFrame(reveal)).observe(main, {childList: true});
  const close = () => {
    const at = [scrollX, scrollY];
    history.replaceState(history.state, "", location.pathname + location.search);
    location.hash = "main";
    history.replaceState(history.state, "", location.pathname + location.search);
    scrollTo(...at);
  };
  document.addEventListener("click", e => {
    const a = e.target.closest(".full a[href='#main']");
    if (a && !e.defaultPrevented) { e.preventDefault(); close(); }
  });
  document.addEventListener("keydown", e => { if (e.key === "Escape" && document.querySelector(".full:target")) close(); });
})();
