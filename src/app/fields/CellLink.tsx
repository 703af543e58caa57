import * as styles from './fields.module.css';

interface CellLinkProps {
  href: string;
  /** Whether the cell has the keyboard focus. */
  focused: boolean | undefined;
  children: string;
}

/** A link inside a clickable row: a click on it does not open the row. */
export function CellLink({ href, focused, children }: CellLinkProps) {
  return (
    <a
      className={`${styles.cellText} ${styles.cellLink}`}
      href={href}
      tabIndex={focused === false ? -1 : 0}
      {...(/^https?:/.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
      onClick={(event) => event.stopPropagation()}
    >
      {children}
    </a>
  );
}
