import type { ReactNode } from 'react';
import { Logo } from '../../src/app/brand/Logo';
import { productName } from '../../src/app/brand/name';
import { Icon } from '../../src/app/icons/Icon';
import { useThemeChoice } from '../../src/app/theme/themeChoice';

/** The page around what is shared: whose it is, and the ways to print it and to read it in the dark. */
export function Page({ children }: { children: ReactNode }) {
  const { scheme, choose } = useThemeChoice();
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <div className="shared">
      <header className="shared-bar">
        <Logo />
        <b>{productName}</b>
        <span className="shared-note">Shared test case, read-only</span>
        <button type="button" className="shared-print" onClick={() => window.print()}>
          <Icon name="print" />
          Print
        </button>
        <button
          type="button"
          className="shared-theme"
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
