import type { ReactNode } from 'react';
import { Logo } from '../brand/Logo';
import { productTitle } from '../brand/productTitle';
import { Icon } from '../icons/Icon';
import { currentProduct } from '../product';
import { useThemeChoice } from '../theme/themeChoice';
import { CheckPattern } from './CheckPattern';
import * as styles from './auth.module.css';

const year = new Date().getFullYear();

/** The page before sign-in: the form on one side, the welcome text on the other. */
export function AuthLayout({ children }: { children: ReactNode }) {
  const { welcome } = currentProduct();
  const { scheme, choose } = useThemeChoice();
  const otherScheme = scheme === 'dark' ? 'light' : 'dark';
  return (
    <div className={styles.auth}>
      <div className={styles.authSide}>
        <header className={styles.authBrand}>
          <Logo />
          <b>{productTitle()}</b>
        </header>
        <main>{children}</main>
        <footer className={styles.authFoot}>
          <span>
            © {year} {productTitle()}
          </span>
          <button type="button" onClick={() => choose(otherScheme)}>
            <Icon name={otherScheme === 'dark' ? 'moon' : 'sun'} size={14} />
            <span className="unseen">Switch to </span>
            {otherScheme === 'dark' ? 'Dark' : 'Light'}
          </button>
        </footer>
      </div>
      <aside className={styles.authWelcome} aria-label={`About ${productTitle()}`}>
        <CheckPattern />
        <h2>Welcome to {productTitle()}</h2>
        {welcome && <p>{welcome}</p>}
      </aside>
    </div>
  );
}
