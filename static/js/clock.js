// The time of the hall. Browsers in halls have clocks that are wrong, and some
// do not know every time zone: the server says what time it is.
(() => {
  'use strict';

  const page = document.body.dataset;
  const shape = { hour: '2-digit', minute: '2-digit' };
  let ahead = Number(page.now) - Date.now(); // of this browser's clock

  // A browser that does not know the zone counts from UTC as the server said.
  function formatter() {
    try {
      const format = new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: page.zone || undefined });
      return (time) => format.format(time);
    } catch {
      const format = new Intl.DateTimeFormat('en-GB', { ...shape, timeZone: 'UTC' });
      return (time) => format.format(time + Number(page.offset || 0) * 1000);
    }
  }

  Object.assign(window.hallcall, {
    now: () => Date.now() + ahead,
    correct: (now) => { ahead = now - Date.now(); },
    clock: formatter(),
  });
})();
