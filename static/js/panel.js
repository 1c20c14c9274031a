// The panel with the rarer commands, and the messages above the tiles.
(() => {
  'use strict';

  const NOTICE = 9000; // a message is there so long, a bad one until something newer is shown
  const panel = document.getElementById('panel');
  const shown = new WeakMap(); // message → since when, and whether the page could not be renewed since
  let worked; // the tile of the last command

  function notice(text, bad) {
    const box = document.getElementById('notice');
    const line = document.createElement('p');
    line.className = bad ? 'note bad' : 'note good';
    line.dataset.testid = 'notice';
    line.textContent = text;
    box.replaceChildren(line);
    look(false); // whether the page was live then, not half a second later
  }

  // A form that can be sent again keeps what was typed, and says so itself.
  const repeatable = (element) => panel.contains(element) && element.closest('form[data-repeatable]');
  function failed(form, yes) {
    const line = form.querySelector('[data-failure]');
    line.textContent = yes ? 'The server does not answer. Send it again in a moment: it is not written down twice.' : '';
    line.hidden = !yes;
  }
  const isTyped = () => [...panel.querySelectorAll('textarea')].some((field) => field.value.trim() !== field.defaultValue.trim());

  // A panel that is not to be had: what is said of it stands above the tiles, and
  // what the panel showed last is another one.
  const withoutPanel = (ctx) => ctx.request?.method === 'GET' && ctx.response?.status >= 400;

  const message = () => document.querySelector('#notice .note');
  const isLive = () => document.getElementById('connection').dataset.state === 'online' && !document.querySelector('.stale');

  // A good message goes by itself. A bad one stays until the page shows what
  // has become of it: a state that came after it has been there for a while, or
  // the first one after the page could not be renewed.
  function look(renewed) {
    const line = message();
    if (!line) return;
    if (!shown.has(line)) shown.set(line, { at: performance.now(), lost: !isLive() });
    const state = shown.get(line);
    const old = performance.now() - state.at >= NOTICE;
    if (line.classList.contains('good') ? old : renewed && isLive() && (old || state.lost)) line.remove();
    else if (!isLive()) state.lost = true;
  }

  document.addEventListener('htmx:after:swap', (event) => {
    const { target } = event.detail.ctx;
    if (event.detail.ctx.request?.method === 'POST') shown.delete(message()); // said anew, also if in the same words
    const forPanel = target === '#panel-body' || target?.id === 'panel-body';
    if (forPanel && !panel.open && !withoutPanel(event.detail.ctx)) panel.showModal();
    // The button that was pressed is gone: who works by keyboard goes on from the tile.
    if (document.activeElement === document.body) document.getElementById(worked)?.focus({ preventScroll: true });
    look(false);
  });
  // A state of the page has come by the socket; heartbeats are no news.
  document.addEventListener('htmx:ws:after:message:incoming', (event) => {
    const { data } = event.detail.message;
    look(typeof data === 'string' && !data.startsWith('{'));
  });
  document.addEventListener('htmx:before:request', (event) => {
    const { sourceElement } = event.detail.ctx;
    worked = sourceElement.closest('.tile')?.id;
    const form = repeatable(sourceElement);
    if (form) failed(form, false);
  });
  document.addEventListener('htmx:after:request', (event) => {
    const { ctx } = event.detail;
    const { status } = ctx.response;
    if (withoutPanel(ctx) && panel.open) panel.close();
    if (ctx.request.method !== 'POST' || !panel.contains(ctx.sourceElement)) return;
    if (ctx.sourceElement.closest('[role=search]')) return; // it has changed nothing, and its answer is the panel
    const form = repeatable(ctx.sourceElement);
    if (form && status >= 500) failed(form, true);
    else if (status !== 422 && !(form && status === 409)) panel.close();
  });
  document.addEventListener('htmx:error', (event) => {
    if (!event.detail.ctx) return;
    const form = repeatable(event.detail.ctx.sourceElement);
    if (form) {
      failed(form, true);
      return;
    }
    if (panel.open) panel.close();
    notice('The server does not answer. Look at the tile before you try again.', true);
  });
  panel.addEventListener('click', (event) => {
    if (event.target === panel && !isTyped()) panel.close(); // beside it, by mistake
  });
  setInterval(() => look(false), 500);
})();
