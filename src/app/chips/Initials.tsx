import { hueOf, initials } from './initials';
import * as styles from './initials.module.css';

export interface InitialsProps {
  /** Empty for nobody: an empty circle. */
  name: string;
  /** Edge in pixels: 24 in rows, 28 in the bar, 36 on cards. */
  size?: number;
  /** Rounded corners instead of a circle: for records that are not people. */
  square?: boolean;
}

/** Initials of a person or record on a tinted ground. Decorative: the name must be beside it or name the control. */
export function Initials({ name, size = 24, square = false }: InitialsProps) {
  // The place may say another size.
  const edge = `var(--initials-size, ${size}px)`;
  return (
    <span
      className={styles.initials}
      data-hue={name ? hueOf(name) : undefined}
      data-none={!name || undefined}
      data-square={square || undefined}
      style={{
        width: edge,
        height: edge,
        fontSize: `var(--initials-text, ${Math.max(10, Math.round(size * 0.37))}px)`,
      }}
      aria-hidden="true"
    >
      {initials(name)}
    </span>
  );
}
