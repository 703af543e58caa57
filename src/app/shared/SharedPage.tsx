import type { ReactNode } from 'react';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { useThemeChoice } from '../theme/themeChoice';
import * as styles from './shared.module.css';

interface SharedPageProps {
  /** What is shared, and that it is read-only. */
  note: string;
  children: ReactNode;
}

/** The page around a shared record: brand, print button and theme switch. */
export function SharedPage({ note, children }: SharedPageProps) {
  const { scheme, choose } = useThemeChoice();
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <div className={styles.shared}>
      <header className={styles.sharedBar}>
        <Logo />
        <b>{productTitle()}</b>
        <span className={styles.sharedNote}>{note}</span>
        <button type="button" className={styles.sharedPrint} onClick={() => window.print()}>
          <Icon name="print" />
          Print or save as PDF
        </button>
        <button
          type="button"
          className={styles.sharedTheme}
          title={`Switch to ${other}`}
          aria-label={`Switch to ${other} theme`}
          onClick={() => choose(other)}
        >
          <Icon name={other === 'dark' ? 'moon' : 'sun'} size={18} />
        </button>
      </header>
      <main>{children}</main>
    </div>
  );
}
