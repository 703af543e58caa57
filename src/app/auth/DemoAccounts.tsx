import { useEffect, useState } from 'react';
import { fetchDemoAccounts, type DemoAccount } from './authApi';
import * as styles from './auth.module.css';

/**
 * The accounts of an installation with demo data, one click each. Reserves its height while loading, so that nothing
 * shifts.
 */
export function DemoAccounts({ onUse }: { onUse: (account: DemoAccount) => void }) {
  const [accounts, setAccounts] = useState<DemoAccount[]>([]);

  useEffect(() => {
    const abortController = new AbortController();
    // Without demo data the server responds with 404, and there is no list.
    fetchDemoAccounts(abortController.signal).then(setAccounts, () => {});
    return () => abortController.abort();
  }, []);

  return (
    <div className={styles.authDemoFrame}>
      {accounts.length > 0 && (
        <section className={styles.authDemo} aria-labelledby="demo-accounts">
          <header>
            <h2 id="demo-accounts">Demo accounts</h2>
            <span>one click signs in</span>
          </header>
          <ul>
            {accounts.map((account) => (
              <li key={account.email}>
                <button type="button" onClick={() => onUse(account)}>
                  <b>{account.role_name}</b> <span>{account.email}</span> <em>Use</em>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
