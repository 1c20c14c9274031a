// Keeps a page up to date and says so when it is not. The extension hx-ws
// receives and swaps; this watches it: a heartbeat comes every few seconds, so
// silence means that the connection is gone, whatever the socket believes.
(() => {
  'use strict';

  const SILENCE = 12000; // without a message for so long there is no connection
  const ASK_AGAIN = 10000; // between two looks whether the page may still be seen
  const RELOAD = 4000; // within so long every screen has the pages of a new version
  const page = document.body.dataset;
  const socket = document.getElementById('live');
  if (!socket) return;

  const markup = socket.outerHTML;
  const label = document.getElementById('connection');
  let heard = performance.now(); // of anything from the server
  let heardAt = hallcall.now();
  let tried = heard;
  let asked = -ASK_AGAIN;
  let reloading;

  function show(state, text) {
    if (!label || (label.dataset.state === state && label.dataset.shown === text)) return;
    label.dataset.state = state;
    label.dataset.shown = text;
    label.querySelector('[data-text]').textContent = text;
  }

  function online() {
    heard = tried = performance.now();
    heardAt = hallcall.now();
    show('online', hallcall.text('live'));
  }

  function offline() {
    show('offline', hallcall.text('offline', { Time: hallcall.clock(heardAt) }));
  }

  // A fresh element brings a fresh socket, also where the old one hangs
  // half-open and would be waited for.
  function restart() {
    tried = performance.now();
    htmx.swap({ sourceElement: document.body, target: '#live', swap: 'outerHTML', text: markup });
  }

  // A socket that is refused looks like one that cannot be reached. So ask for
  // the page: if it leads to the login now, asks to be let in, or is not allowed any more, go there.
  async function mayStillSee() {
    if (performance.now() - asked < ASK_AGAIN) return;
    asked = performance.now();
    try {
      const answer = await fetch(location.href, { redirect: 'manual', cache: 'no-store' });
      if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403) location.reload();
    } catch {
      // not reachable: the socket goes on trying
    }
  }

  function beat(data) {
    hallcall.correct(data.now);
    const busy = document.querySelector('dialog[open]') || document.activeElement?.matches('input, select, textarea');
    if (data.version && data.version !== page.version && !busy && !reloading) {
      reloading = setTimeout(() => location.reload(), Math.random() * RELOAD); // not all screens at once
    }
  }

  document.addEventListener('htmx:ws:before:message:incoming', (event) => {
    online();
    const data = event.detail.message.data;
    if (typeof data === 'string' && data.startsWith('{')) beat(JSON.parse(data));
  });
  document.addEventListener('htmx:ws:close', (event) => {
    if (event.detail.reason !== 'closed') return;
    offline();
    mayStillSee();
  });
  setInterval(() => {
    const now = performance.now();
    if (now - heard > SILENCE) offline();
    if (now - tried > SILENCE) restart();
  }, 1000);
})();
