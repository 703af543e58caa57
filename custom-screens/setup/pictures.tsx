import * as styles from './setup.module.css';

const frame = {
  className: styles.setupPicture,
  width: 120,
  height: 80,
  viewBox: '0 0 120 80',
  'aria-hidden': true,
} as const;

/** Two buildings. */
export function ClientPicture() {
  return (
    <svg {...frame}>
      <path d="M.5 79.5h88" stroke="var(--line-2)" />
      <rect x="6.5" y="14.5" width="44" height="65" rx="4" stroke="var(--picture-edge)" fill="var(--surface)" />
      <rect x="50.5" y="38.5" width="32" height="41" rx="4" stroke="var(--picture-edge)" fill="var(--surface)" />
      <rect x="15" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="15" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="15" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="25" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="24" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="38" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="35" y="52" width="8" height="8" rx="2" fill="var(--tint-2)" />
      <rect x="60" y="48" width="13" height="8" rx="2" fill="var(--tint-2)" />
    </svg>
  );
}

/** A folder with its cards. */
export function ProjectPicture() {
  return (
    <svg {...frame}>
      <path
        d="M.8 71.5v-56a4 4 0 0 1 4-4h24l8 10h51a4 4 0 0 1 4 4v46a4 4 0 0 1-4 4h-83a4 4 0 0 1-4-4Z"
        stroke="var(--picture-edge)"
        fill="var(--surface)"
      />
      <path d="M14 40h40M14 52h56M14 64h28" stroke="var(--line-2)" strokeLinecap="round" />
      <rect x="62" y="34" width="16" height="10" rx="5" fill="var(--tint-2)" />
    </svg>
  );
}

/** Bars and a ring. */
export function DashboardPicture() {
  return (
    <svg {...frame}>
      <rect x=".8" y="11" width="100" height="64" rx="6" stroke="var(--picture-edge)" />
      <path d="M16 64V48M30 64V36M44 64V52" stroke="var(--line-2)" strokeWidth="7" />
      <circle cx="76" cy="46" r="15" stroke="var(--line-2)" strokeWidth="6" />
      <path d="M14 24h30" stroke="var(--line-2)" strokeLinecap="round" />
    </svg>
  );
}
