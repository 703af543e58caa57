import type { Tone } from '../../engine/definitions/definition';
import * as styles from './chips.module.css';

/** Progress from 0 (waiting) to 1 (done); `stopped` ended without being done. */
export type RingProgress = number | 'stopped';

const centre = 7;
const inner = 3.4;

/** A progress ring of 14 px. Decoration: the text beside it says the same. */
export function Ring({ progress, tone }: { progress: RingProgress; tone?: Tone }) {
  const ringState = progress === 'stopped' ? 'stopped' : progress <= 0 ? 'waiting' : progress >= 1 ? 'done' : 'moving';
  return (
    <svg
      className={styles.ring}
      data-how={ringState}
      data-tone={tone}
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      <circle cx={centre} cy={centre} r={ringState === 'done' ? 6.3 : 5.6} />
      {ringState === 'moving' && <path className={styles.ringPart} d={sector(progress as number)} />}
      {ringState === 'done' && <path d="M4.2 7.2 6.2 9.2 9.9 5.2" />}
      {ringState === 'stopped' && <path d="M4.8 9.2 9.2 4.8" />}
    </svg>
  );
}

/** The filled part, clockwise from the top. */
function sector(progress: number): string {
  const angle = 2 * Math.PI * progress;
  const x = (centre + inner * Math.sin(angle)).toFixed(2);
  const y = (centre - inner * Math.cos(angle)).toFixed(2);
  return `M7 7V3.6A${inner} ${inner} 0 ${progress > 0.5 ? 1 : 0} 1 ${x} ${y}Z`;
}
