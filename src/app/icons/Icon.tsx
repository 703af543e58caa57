import type { SVGProps } from 'react';
import { iconPath } from './icons';
import * as styles from './icon.module.css';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'name' | 'children'> {
  /** One of `iconNames`. */
  name: string;
  /** Edge in pixels: 14 in chips and hints, 16 in rows and buttons, 18 in bars, 24 in messages. */
  size?: number;
  /** The accessible name. Without it the icon is decorative. */
  label?: string;
}

/** An outline icon in the colour of its text. */
export function Icon({ name, size = 16, label, className, ...svg }: IconProps) {
  return (
    <svg
      className={className ? `${styles.icon} ${className}` : styles.icon}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      {...svg}
    >
      <path d={iconPath(name)} />
    </svg>
  );
}
