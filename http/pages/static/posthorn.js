// Everything on these pages works without this file. With it, a board changes without the
// page jumping, chance is prefilled, and times read as the reader's own.
(() => {
  "use strict";
  const all = (sel, root) => Array.from((root || document).querySelectorAll(sel));

  // Chance made in this browser: 16 random bytes, which the reader may type over.
  const chances = root => all("[data-chance]", root).forEach(input => {
    if (input.value || !window.crypto || !crypto.getRandomValues) return;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    input.value = Array.from(bytes, b => b.toString(16).padStart(2, "0")).join("");
    const luck = input.closest("details");
    if (!("own" in luck.dataset)) luck.open = false; // it needs nobody's attention any more
  });

  // Local times behind "2 hours ago".
  const times = root => all("time[datetime]", root).forEach(el => {
    const d = new Date(el.getAttribute("datetime"));
    if (!isNaN(d)) el.title = d.toLocaleString(document.documentElement.lang, {dateStyle: "full", timeStyle: "short"});
  });

  const copies = root => all(".copy-button", root).forEach(button => {
    const field = button.parentElement.querySelector("[data-copy]");
    if (!field || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", () => navigator.clipboard.writeText(field.value).then(() => {
      button.textContent = button.dataset.copied;
    }));
  });

  const prints = root => all("[data-print]", root).forEach(button => {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  });

  // Only the fields that a seat's kind asks for.
  const seats = root => all("[data-seat]", root).forEach(seat => {
    const kind = seat.querySelector("[data-kind]");
    const show = () => {
      seat.querySelector(".invitee").hidden = kind.value !== "friend" && kind.value !== "team";
      seat.querySelector(".team").hidden = kind.value !== "team";
    };
    if (kind) { kind.addEventListener("change", show); show(); }
  });

  // What somebody has written beside a board stays while they choose on it: this tab keeps it until it is sent.
  const writings = root => all("[data-typed]", root).forEach(e => {
    const key = "typed " + e.dataset.typed + " " + e.name;
    try { if (!e.value) e.value = sessionStorage.getItem(key) || ""; } catch (err) { return; } // a browser that keeps nothing
    e.addEventListener("input", () => sessionStorage.setItem(key, e.value));
    e.form.addEventListener("submit", () => sessionStorage.removeItem(key));
  });

  // Whoever has pressed to play and waits for nobody sits down: the page has brought the table's commitment, and
  // this browser adds its part.
  const sits = root => all("form[data-sits]", root).forEach(form => {
    if (form.checkValidity()) form.requestSubmit(form.querySelector("button[name=seat]"));
  });

  // The first form sent by somebody whose time zone is not known tells it.
  document.addEventListener("submit", e => {
    const form = e.target, name = document.body.dataset.zone;
    if (!name || form.method !== "post" || form.elements[name]) return;
    const zone = document.createElement("input");
    Object.assign(zone, {type: "hidden", name, value: Intl.DateTimeFormat().resolvedOptions().timeZone || ""});
    form.append(zone);
  }, true);

  const ready = root => [chances, times, copies, prints, seats, writings, sits].forEach(f => f(root));
  ready(document);

  // A board drawn large is looked at part by part; the link beside it says what it does.
  const resize = (box, large) => {
    box.classList.toggle("large", large);
    const a = box.parentElement.querySelector("[data-larger]");
    if (a) a.textContent = large ? a.dataset.smaller : a.dataset.larger;
  };
  const resizeAll = () => { all(".board-box").forEach(box => resize(box, !box.classList.contains("large"))); aside(); };

  // Of a board that is wider than the window the part is shown that was looked at, or else where something has just happened.
  const bring = (root, at) => {
    const box = root.querySelector(".board-box.across:not(.large)");
    if (!box) return;
    if (at) return box.scrollTo(at[0], at[1]);
    const what = box.querySelector(".last, .ghost, a.spot");
    if (!what) return;
    const a = what.getBoundingClientRect(), b = box.getBoundingClientRect();
    box.scrollBy({left: a.left + a.width / 2 - b.left - b.width / 2, top: a.top + a.height / 2 - b.top - b.height / 2, behavior: "instant"});
  };
  let looked = null;
  bring(document);

  // The button at a board's corner goes to another where it would lie on what is asked for, or on the map in the corner.
  const corners = ["", "left", "up", "left up"];
  const aside = () => all(".board-frame").forEach(frame => {
    const caption = frame.querySelector("figcaption"), box = frame.querySelector(".board-box");
    if (!caption || getComputedStyle(caption).position !== "absolute") return;
    const bar = document.getElementById("turn"), low = bar && getComputedStyle(bar).position === "sticky" ? [bar] : [];
    const asked = Array.from([...box.querySelectorAll("a.spot .area, .inset"), ...low], e => e.getBoundingClientRect());
    const free = corners.find(c => {
      caption.className = c;
      const a = caption.getBoundingClientRect();
      return !asked.some(b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
    });
    caption.className = free || "";
  });
  const steady = root => root.querySelectorAll(".board-box").forEach(box => box.addEventListener("scrollend", aside));
  steady(document);
  aside();

  // A choice on the way to a move, or a step through history: fetch the page and put its
  // game in the place of this one. Whatever goes wrong, the link is simply followed.
  // A page of another version of the program needs its own styles and scripts: it is loaded as a whole.
  const files = d => new Map(all('link[rel="stylesheet"], script[src]', d).map(e => e.getAttribute("href") || e.getAttribute("src")).map(at => [at.slice(at.lastIndexOf("/")), at]));
  const replaced = next => [...files(next)].some(([name, at]) => (files(document).get(name) || at) !== at);
  // Where the keyboard is, in words that hold on the page as it is read next: what stands there, and which of those alike.
  const called = e => [e.tagName, e.id, e.rel, e.name, e.value, e.dataset.name, e.textContent.trim()].join("|");
  const alike = (root, name) => all("a[href], button, summary, input, select, textarea", root).filter(e => called(e) === name && e.getClientRects().length);
  const whereabouts = root => {
    const e = document.activeElement;
    if (!e || e === document.body || !root.contains(e)) return null;
    const name = called(e);
    return {name, nth: alike(root, name).indexOf(e)};
  };
  const putBack = (root, place) => {
    const list = alike(root, place.name);
    let to = list[Math.min(place.nth, list.length - 1)];
    if (!to) { // it is gone: one goes on from the headline, not from the top of the page
      to = root.querySelector("#now h1, h1");
      if (!to) return;
      to.tabIndex = -1;
    }
    to.focus({preventScroll: true});
  };

  // A page that answers a press has the address that took it, which only takes forms: what is read again is the page's own.
  const ownOf = doc => { const game = doc.querySelector(".game[data-self]"); return game && game.dataset.self; };
  if (ownOf(document)) history.replaceState(history.state, "", ownOf(document));
  const versionOf = root => { const game = root.querySelector(".game"); return game && game.dataset.version; };
  let busy = null, asked = 0, swapped = 0, shown = location.pathname + location.search;
  const swap = async (address, push, unasked, form) => {
    if (busy) busy.abort();
    busy = new AbortController();
    const res = await fetch(address, {signal: busy.signal, headers: {Accept: "text/html"}, ...form});
    if (!res.ok && res.status !== 409 && res.status !== 422) throw new Error("status " + res.status);
    const next = new DOMParser().parseFromString(await res.text(), "text/html");
    if (form) address = ownOf(next) || res.url;
    if (res.ok && (!form || res.redirected) && replaced(next)) {
      if (new URL(res.url).pathname + new URL(res.url).search === location.pathname + location.search) location.reload(); else location.assign(res.url);
      return new Promise(() => {});
    }
    const from = next.querySelector("main"), here = document.querySelector("main");
    if (!from || !from.querySelector(".game") || !here) throw new Error("no game");
    const was = document.activeElement && document.activeElement.rel, place = whereabouts(here);
    const box = here.querySelector(".board-box");
    const at = box ? [box.scrollLeft, box.scrollTop, box.classList.contains("large")] : null;
    if (box && box.matches(".across:not(.large)")) looked = [at[0], at[1]];
    // News that nobody asked for leave what is open, and where one looks.
    const stay = unasked ? {y: scrollY, opened: all("details[open] > summary", here).map(called), version: versionOf(here)} : null;
    here.replaceChildren(...from.childNodes);
    if (stay) all("details > summary", here).forEach(s => { if (stay.opened.includes(called(s))) s.parentElement.open = true; });
    swapped = performance.now();
    here.className = from.className;
    document.title = next.title;
    const mine = here.querySelector("#now h1.mine"), spoken = document.getElementById("spoken");
    if (spoken) spoken.textContent = unasked && mine ? mine.textContent : ""; // whoever does not see the page hears that it is their turn
    if (push) history[form ? "replaceState" : "pushState"]({swapped: true}, "", address.split("#")[0]);
    shown = location.pathname + location.search;
    ready(here);
    const now = here.querySelector(".board-box");
    if (now && at) { resize(now, at[2]); now.scrollTo(at[0], at[1]); }
    bring(here, stay && stay.version === versionOf(here) ? at : form || unasked ? null : looked);
    steady(here);
    aside();
    const head = document.getElementById("now");
    if (stay) {
      if (location.hash) location.replace(location.hash); // what it points to is another element now
      if (place) putBack(here, place);
      scrollTo({top: stay.y, behavior: "instant"});
      return;
    }
    // The next choice is in sight: what is asked stands at the lower edge, the board below the headline.
    if (head && (form || head.getBoundingClientRect().bottom < 0)) scrollTo({top: 0, behavior: "instant"});
    // Whoever presses keys goes on where they were: at the same link, or at what comes next.
    const goOn = was ? 'a[rel="' + was + '"]' : ".confirm button.go, #turn .option, #turn .bar .act, #turn summary";
    const to = all(goOn, here).sort((a, b) => b.matches(".go") - a.matches(".go")).find(e => e.getClientRects().length);
    if (to) to.focus({preventScroll: true});
  };
  // What somebody asks for is not given up for news: these wait until it is there.
  const ask = (address, push, fails) => {
    asked++;
    return swap(address, push).catch(err => { if (err.name !== "AbortError") fails(); }).finally(() => { asked--; caughtUp(); });
  };
  const within = a => a && (a.closest("#turn, .cards, .full, svg, .board-frame, .pager, .trade") || a.closest(".story.long"));
  document.addEventListener("click", e => {
    if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const a = e.target.closest("a[href]");
    if (a && a.dataset.larger) { e.preventDefault(); return resizeAll(); }
    if (!within(a)) return;
    const href = a.getAttribute("href");
    if (!href || !href.startsWith("/")) return;
    e.preventDefault();
    ask(href, true, () => location.assign(href));
  });
  // A move is sent in the same way. Should the answer be lost, the form is sent again as it stands: its
  // id is known by then, and the move is played once.
  let sending = false, missed = null;
  document.addEventListener("submit", e => {
    const form = e.target, by = e.submitter;
    if (e.defaultPrevented || sending || !form.matches("form.turn, #undo, #always") || !by) return;
    e.preventDefault();
    sending = true;
    swap(form.action, true, false, {method: "POST", body: new URLSearchParams(new FormData(form, by))}).then(() => {
      sending = false;
      caughtUp();
      listen();
    }, () => { if (form.isConnected) form.requestSubmit(by); else location.reload(); }); // a form that is gone cannot be sent again
  });
  addEventListener("popstate", () => {
    if (shown === location.pathname + location.search) return; // only another part of this page is looked at
    ask(location.pathname + location.search, false, () => location.reload());
  });

  // Enter presses what it went down on, once. What comes next has the focus by then, and a key that is held, or let go late,
  // must not press that as well.
  let down = null;
  document.addEventListener("keydown", e => {
    if (e.key !== "Enter") return;
    if (e.repeat && !e.target.closest("textarea")) e.preventDefault(); else down = e.target;
  }, true);
  document.addEventListener("keypress", e => { if (e.key === "Enter" && e.target !== down) e.preventDefault(); }, true);

  // Keys: the names of choices choose, arrows go through history, z makes the board large or small.
  let typed = "", wait = 0;
  document.addEventListener("keydown", e => {
    if (e.metaKey || e.ctrlKey || e.altKey || e.target.closest("input, textarea, select, [contenteditable]")) return;
    const go = sel => { const a = document.querySelector(sel); if (a) { e.preventDefault(); a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true})); } };
    if (document.querySelector("[data-history]")) {
      if (e.key === "ArrowLeft") return go("a[rel=prev]");
      if (e.key === "ArrowRight") return go("a[rel=next]");
    }
    if (!/^[a-z0-9,-]$/i.test(e.key)) return;
    typed += e.key.toLowerCase();
    clearTimeout(wait);
    wait = setTimeout(() => {
      const a = all(".game [data-name]").find(a => a.dataset.name.toLowerCase().replaceAll(" ", "") === typed);
      if (!a && typed === "z") resizeAll();
      typed = "";
      if (a) a.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
    }, 400);
  });
  document.addEventListener("dblclick", e => {
    const box = e.target.closest(".board-box");
    if (box && performance.now() - swapped > 600) resize(box, !box.classList.contains("large"));
  });

  // Live: the server says that a table has moved on, never how; the page is then read again.
  // Whoever is about to move or is writing is told instead, and keeps what they have.
  const composing = game => /[?&](c|m|form)=/.test(location.search) ||
    all("input:not([type=hidden]):not([type=range]):not([data-chance]), textarea", game).some(f => f.value !== f.defaultValue || f.checked !== f.defaultChecked) ||
    game.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");
  let source = null;
  // While this page is looked at it answers its stream, which asks from time to time: nothing is mailed meanwhile about
  // what it shows. A page that nobody has touched for long may have been left open.
  let touched = Date.now();
  ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "focus"].forEach(e => addEventListener(e, () => { touched = Date.now(); }, {capture: true, passive: true}));
  const here = () => {
    const game = document.querySelector(".game[data-here]");
    if (!game || document.hidden || Date.now() - touched > 30 * 60000) return;
    fetch(game.dataset.live.replace(/live$/, "here"), {method: "POST", body: new URLSearchParams({who: game.dataset.here})}).catch(() => {});
  };
  const moved = now => {
    if (sending || asked) { missed = now; return; }
    const game = document.querySelector(".game[data-live]");
    // What the page shows already may have been on its way longer than the page: that is no news.
    if (!game || now.table < +game.dataset.head || now.table === +game.dataset.head && now.version <= +game.dataset.version) return;
    const notice = document.getElementById("moved");
    if (composing(game)) { if (notice) notice.hidden = false; return; }
    const here = new URL(location.href);
    if (here.searchParams.get("done") !== "moved") here.searchParams.delete("done"); // the next game is still offered
    swap(here.pathname + here.search, false, true).then(() => { delay = later; }, err => {
      if (err.name === "AbortError") return;
      if (notice) notice.hidden = false;
      missed = missed || now;
      clearTimeout(retry);
      retry = setTimeout(caughtUp, delay);
      delay = Math.min(2 * delay, 60 * later);
    });
  };
  const later = 4000; // when what failed for news is tried again, in milliseconds: each time half as often
  let delay = later, retry = 0;
  const caughtUp = () => {
    const last = missed;
    if (sending || asked || !last) return;
    missed = null;
    moved(last);
  };
  const listen = () => {
    const game = document.querySelector(".game[data-live]");
    if (!game || document.hidden || !window.EventSource) { if (source) source.close(); source = null; return; }
    if (source && source.readyState !== EventSource.CLOSED) return;
    source = new EventSource(game.dataset.live);
    source.onmessage = e => moved(JSON.parse(e.data));
    source.addEventListener("here", here);
    // A browser begins a stream anew by itself, unless the server had no room for it.
    source.onerror = () => { if (source && source.readyState === EventSource.CLOSED) setTimeout(listen, 5 * later); };
  };
  document.addEventListener("visibilitychange", () => { touched = Date.now(); listen(); });
  addEventListener("pagehide", () => { if (source) source.close(); source = null; });
  addEventListener("pageshow", listen);
  listen();
})();
