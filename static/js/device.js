// Tells the server every few seconds that this device is on, and whether it can
// be heard. Only pages of devices that the staff let in do so.
(() => {
  'use strict';

  const EVERY = 15000;
  const { device, sound, paper } = document.body.dataset;
  if (!device) return;

  const RESUMING = 1000; // a browser that allows sound begins within some milliseconds
  let audio;

  // A browser lets no sound through before somebody has touched the page, unless
  // it was started so that it does.
  async function heard() {
    if (sound === undefined) return '';
    if (!audio) {
      audio = new AudioContext();
      audio.onstatechange = report;
    }
    if (audio.state !== 'running') {
      await Promise.race([audio.resume().catch(() => {}), new Promise((done) => setTimeout(done, RESUMING))]);
    }
    return audio.state === 'running' ? 'on' : 'muted';
  }

  // The first touch is what the browser waits for; it lets nothing through unasked.
  document.addEventListener('pointerup', () => audio?.resume().catch(() => {}));
  document.addEventListener('keyup', () => audio?.resume().catch(() => {}));

  async function report() {
    const body = new URLSearchParams({ sound: await heard(), paper: paper ?? '' });
    try {
      const answer = await fetch(device, { method: 'POST', body, headers: { 'HX-Request': 'true' } });
      if (answer.status === 401) location.reload(); // it was shut out
    } catch {
      // not reachable: the page says so itself
    }
  }

  report();
  setInterval(report, EVERY);
})();
