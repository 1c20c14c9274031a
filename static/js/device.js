// Tells the server every few seconds that this device is on, and whether it can
// be heard. Only pages of devices that the staff let in do so.
(() => {
  'use strict';

  const EVERY = 15000;
  const { device, sound, paper } = document.body.dataset;
  if (!device) return;

  let audio;

  // A browser lets no sound through before somebody has touched the page, unless
  // it was started so that it does.
  function heard() {
    if (sound === undefined) return '';
    audio ??= new AudioContext();
    if (audio.state !== 'running') audio.resume().catch(() => {});
    return audio.state === 'running' ? 'on' : 'muted';
  }

  async function report() {
    const body = new URLSearchParams({ sound: heard(), paper: paper ?? '' });
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
