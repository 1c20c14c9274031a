// The panel with the rarer commands, and the messages above the tiles.
(() => {
  'use strict';

  const NOTICE = 9000; // a good message goes after so long
  const panel = document.getElementById('panel');
  let clearing;
  let worked; // the tile of the last command

  function notice(text, bad) {
    const box = document.getElementById('notice');
    const line = document.createElement('p');
    line.className = bad ? 'note bad' : 'note good';
    line.dataset.testid = 'notice';
    line.textContent = text;
    box.replaceChildren(line);
  }

  function clearLater() {
    clearTimeout(clearing);
    clearing = setTimeout(() => document.querySelector('#notice .good')?.remove(), NOTICE);
  }

  document.addEventListener('htmx:after:swap', (event) => {
    const { target } = event.detail.ctx;
    const forPanel = target === '#panel-body' || target?.id === 'panel-body';
    if (forPanel && !panel.open) panel.showModal();
    // The button that was pressed is gone: who works by keyboard goes on from the tile.
    if (document.activeElement === document.body) document.getElementById(worked)?.focus({ preventScroll: true });
    clearLater();
  });
  document.addEventListener('htmx:before:request', (event) => {
    worked = event.detail.ctx.sourceElement.closest('.tile')?.id;
  });
  document.addEventListener('htmx:after:request', (event) => {
    const { ctx } = event.detail;
    const done = ctx.request.method === 'POST' && ctx.response.status !== 422;
    if (done && panel.contains(ctx.sourceElement)) panel.close();
  });
  document.addEventListener('htmx:error', (event) => {
    if (!event.detail.ctx) return;
    if (panel.open) panel.close();
    notice('The server does not answer. Look at the tile before you try again.', true);
  });
  panel.addEventListener('click', (event) => {
    if (event.target === panel) panel.close();
  });
  clearLater();
})();
