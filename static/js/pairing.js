// Looks every few seconds whether the staff have let this screen in, and shows
// the code of the moment. The page that it asks for is the screen's own.
(() => {
  'use strict';

  const EVERY = 3000;
  const PATIENCE = 8000;

  async function look() {
    const pairing = document.getElementById('pairing');
    try {
      const answer = await fetch(location.href, { cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
      if (answer.status === 429 || answer.status >= 500) throw new Error('later');
      if (answer.status !== 401) {
        location.reload();
        return;
      }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById('pairing');
      if (fresh && fresh.dataset.code !== pairing.dataset.code) pairing.replaceWith(fresh);
      else document.getElementById('pairing-offline').hidden = true;
    } catch {
      document.getElementById('pairing-offline').hidden = false;
    }
    setTimeout(look, EVERY);
  }

  setTimeout(look, EVERY);
})();
