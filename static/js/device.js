// Tells the server every few seconds that this device is on, and whether it can
// be heard. Only pages of devices that the staff let in do so.
(() => {
  'use strict';

  const EVERY = 15000;
  const { device, paper } = document.body.dataset;
  if (!device) return;

  async function report() {
    const body = new URLSearchParams({ sound: window.hallcall?.sound?.() ?? '', paper: paper ?? '' });
    try {
      const answer = await fetch(device, { method: 'POST', body, headers: { 'HX-Request': 'true' } });
      if (answer.status === 401) location.reload(); // it was shut out
    } catch {
      // not reachable: the page says so itself
    }
  }

  document.addEventListener('hallcall:sound', report);
  report();
  setInterval(report, EVERY);
})();
