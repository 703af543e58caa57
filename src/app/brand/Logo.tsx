import * as styles from './brand.module.css';

/** The mark of the product: an A whose bar is a check. `size` in pixels. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg className={styles.brandLogo} width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <path
        d="M6.8 20.4 12.9 8.2a1.2 1.2 0 0 1 2.2 0l6.1 12.2M10.7 15.9l2.6 2.4 4.3-4.8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.25"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
