// Clocks and elapsed times: the server sends points in time, the page counts.
(() => {
  'use strict';

  const two = (n) => String(n).padStart(2, '0');

  function length(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return minutes + ':' + two(seconds % 60);
    return Math.floor(minutes / 60) + ':' + two(minutes % 60) + ':' + two(seconds % 60);
  }

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function tick() {
    const at = hallcall.now();
    for (const element of document.querySelectorAll('[data-since]')) {
      const limit = Number(element.dataset.limit || 0);
      const over = limit > 0 && at > limit;
      put(element, length(at - Number(element.dataset.since)) + (over ? ', ' + element.dataset.over.replace(' ', '\u00a0') : ''));
      element.classList.toggle('over', over);
    }
    for (const element of document.querySelectorAll('[data-time]')) put(element, hallcall.clock(Number(element.dataset.time)));
    for (const element of document.querySelectorAll('[data-clock]')) put(element, hallcall.clock(at));
  }

  setInterval(tick, 1000);
  document.addEventListener('htmx:after:swap', tick);
  tick();
})();
