import { useEffect, type ReactNode } from 'react';
import { setDocumentTitle, productTitle } from '../brand/productTitle';
import { navigate, usePath } from '../session/navigation';
import { AuthToasts } from './AuthToasts';
import { LoginPage } from './LoginPage';
import { signOnPath } from './signOnApi';
import { lazyComponent } from '../states/lazyComponent';
import { Logo } from '../brand/Logo';
import { Icon } from '../icons/Icon';
import { currentProduct } from '../product';
import { useThemeChoice } from '../theme/themeChoice';
import { CheckPattern } from './CheckPattern';
import * as styles from './auth.module.css';

const year = new Date().getFullYear();

/** The page before sign-in: the form on one side, the welcome text on the other. */
function AuthLayout({ children }: { children: ReactNode }) {
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

// Where links of the sign-in page, of mails and of identity providers lead: the sign-in page and the application do not
// wait for it.
const ForgotPasswordPage = lazyComponent(async () => ({
  default: (await import('./ForgotPasswordPage')).ForgotPasswordPage,
}));
const RegisterPage = lazyComponent(async () => ({ default: (await import('./RegisterPage')).RegisterPage }));
const ConfirmAddressPage = lazyComponent(async () => ({
  default: (await import('./ConfirmAddressPage')).ConfirmAddressPage,
}));
const SingleSignOnPage = lazyComponent(async () => ({
  default: (await import('./SingleSignOnPage')).SingleSignOnPage,
}));
const ResetPasswordPage = lazyComponent(async () => ({
  default: (await import('./ResetPasswordPage')).ResetPasswordPage,
}));

const pages: Record<string, { title: string; page: ReactNode }> = {
  '/auth/login': { title: 'Sign in', page: <LoginPage /> },
  '/auth/register': { title: 'Create an account', page: <RegisterPage /> },
  '/auth/forgot-password': { title: 'Forgot password', page: <ForgotPasswordPage /> },
  '/auth/reset-password': { title: 'Reset password', page: <ResetPasswordPage key="reset" /> },
  '/auth/confirm-address': { title: 'Confirm your address', page: <ConfirmAddressPage /> },
  [signOnPath]: { title: 'Single sign-on', page: <SingleSignOnPage /> },
  '/auth/setup-account': { title: 'Set up your account', page: <ResetPasswordPage key="setup" isSetup /> },
};

/** All pages below `/auth`, for visitors who are not signed in. An unknown path shows the sign-in page. */
export function AuthApp() {
  const path = usePath().replace(/\/+$/, '');
  const currentPage = pages[path];

  useEffect(() => {
    if (currentPage) setDocumentTitle(currentPage.title);
    else navigate('/auth/login', { replace: true });
  }, [currentPage]);

  return (
    <AuthToasts>
      <AuthLayout>{currentPage?.page}</AuthLayout>
    </AuthToasts>
  );
}
