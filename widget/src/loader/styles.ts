/**
 * In a style sheet that is adopted, because a strict policy of the page forbids style elements and attributes. `!important` on
 * the host: there, and only there, the page's own rules (`* { all: unset }`) would win otherwise.
 */
export const STYLES = `
:host { all: initial !important; position: fixed !important; inset: auto !important; z-index: 2147483647 !important; display: block !important; width: 0 !important; height: 0 !important; }
:host([hidden]) { display: none !important; }
* { box-sizing: border-box; }
button, iframe { position: fixed; right: max(20px, env(safe-area-inset-right)); border: 0; }
.left button, .left iframe { right: auto; left: max(20px, env(safe-area-inset-left)); }
button { bottom: max(20px, env(safe-area-inset-bottom)); width: 56px; height: 56px; padding: 0; border-radius: 50%; cursor: pointer; background: var(--color); color: var(--on-color); box-shadow: 0 2px 6px rgb(0 0 0 / .16), 0 8px 24px rgb(0 0 0 / .2); display: grid; place-items: center; font: 600 12px/1 system-ui, sans-serif; -webkit-tap-highlight-color: transparent; }
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid var(--color); outline-offset: 3px; box-shadow: 0 0 0 3px #fff; }
svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.badge { position: absolute; top: -4px; right: -4px; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px; background: #b91c1c; color: #fff; border: 2px solid #fff; display: grid; place-items: center; }
iframe { bottom: max(92px, calc(env(safe-area-inset-bottom) + 92px)); width: 384px; max-width: calc(100vw - 40px); height: min(640px, calc(100vh - 112px)); height: min(640px, calc(100dvh - 112px)); border-radius: 16px; background: Canvas; box-shadow: 0 4px 12px rgb(0 0 0 / .12), 0 16px 48px rgb(0 0 0 / .24); transition: opacity .16s, transform .16s; }
.covering iframe { inset: 0; width: 100%; max-width: none; height: 100%; height: 100dvh; border-radius: 0; }
.covering.open button { visibility: hidden; }
.dark iframe { color-scheme: dark; }
.light iframe { color-scheme: light; }
[hidden] { display: none; }
@starting-style { iframe { opacity: 0; transform: translateY(12px); } }
@media (prefers-reduced-motion: reduce) { iframe { transition: none; } }
@media (forced-colors: active) { button, iframe { border: 2px solid ButtonText; } svg { stroke: ButtonText; } }
@media print { button, iframe { display: none; } }
`;
