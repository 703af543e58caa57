import type { ReactNode } from 'react';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { useThemeChoice } from '../theme/themeChoice';
import * as styles from './shared.module.css';

interface SharedPageProps {
  /** The note that names the shared content and says that it is read-only. */
  note: string;
  children: ReactNode;
}

/** The page around a shared record: brand, print button and theme switch. */
export function SharedPage({ note, children }: SharedPageProps) {
  const { scheme, choose } = useThemeChoice();
  const otherScheme = scheme === 'dark' ? 'light' : 'dark';
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
          title={`Switch to ${otherScheme}`}
          aria-label={`Switch to ${otherScheme} theme`}
          onClick={() => choose(otherScheme)}
        >
          <Icon name={otherScheme === 'dark' ? 'moon' : 'sun'} size={18} />
        </button>
      </header>
      <main>{children}</main>
    </div>
  );
}
