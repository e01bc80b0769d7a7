const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  attach: "M20 11.5l-8.2 8.2a5 5 0 0 1-7.1-7.1l8.6-8.6a3.4 3.4 0 0 1 4.8 4.8l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.6-7.6",
  send: "M4 12l16-8-6 16-3-7-7-1z",
  options: "M12 5.5h.01M12 12h.01M12 18.5h.01",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
