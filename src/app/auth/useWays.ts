import { useEffect, useState } from 'react';
import { email as checkEmail } from './rules';
import { waysToSignIn, type Ways } from './signOnCalls';

/** Milliseconds without typing after which the address is looked up. */
const pause = 250;
const none: Ways = { single_sign_on: false, installation: null, company: null, password: true };

/** The sign-in options of a typed address, requested for its domain once it looks like an address. */
export function useWays(typed: string): Ways {
  const address = checkEmail(typed, {}) === undefined ? typed.trim().toLowerCase() : '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const [ways, setWays] = useState(none);
  useEffect(() => {
    const leaving = new AbortController();
    // Only the domain is sent, not the address, before the form is submitted.
    const ask = () =>
      waysToSignIn(domain && `somebody@${domain}`, leaving.signal).then(
        setWays,
        // Without a response the page keeps its default options; the next call reports the error.
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
