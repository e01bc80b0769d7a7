export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
    <rect width="32" height="32" rx="8" fill="#0f766e" />
    <path
      d="M9 8h14a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-7l-5.200 4.200a.5.5 0 0 1-.8-.4V21H9a3 3 0 0 1-3-3v-7a3 3 0 0 1 3-3z"
      fill="#fff"
    />
    <path d="M11 13h10M11 16.500h6" stroke="#0f766e" strokeWidth="2" strokeLinecap="round" />
  </svg>
);
