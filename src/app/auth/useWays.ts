import { useEffect, useState } from 'react';
import { email as checkEmail } from './rules';
import { waysToSignIn, type Ways } from './signOnCalls';

/** Milliseconds without typing after which an address is looked at. */
const pause = 250;
const none: Ways = { single_sign_on: false, installation: null, company: null, password: true };

/** How somebody signs in who types an address: asked for its domain alone, once it looks like an address. */
export function useWays(typed: string): Ways {
  const address = checkEmail(typed, {}) === undefined ? typed.trim().toLowerCase() : '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [ways, setWays] = useState(none);
  useEffect(() => {
    const leaving = new AbortController();
    // Nobody's address leaves before it is sent: its domain decides.
    const ask = () =>
      waysToSignIn(domain && `somebody@${domain}`, leaving.signal).then(
        setWays,
        // Without an answer the page offers what it always does; the next call says what is wrong.
        () => {},
      );
    const timer = setTimeout(() => void ask(), domain ? pause : 0);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [domain]);
  return ways;
}
