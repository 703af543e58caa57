import { useLocation } from 'react-router-dom';
import { lazyComponent } from '../../src/app/states/lazyComponent';
import { useSession } from '../../src/app/session/session';
import { waitingResultsKey } from './waitingResultsKey';

const WaitingBar = lazyComponent(() => import('./WaitingBar').then((module) => ({ default: module.WaitingBar })));

/** Sends results that an earlier tab left, from whatever screen is open; nothing is loaded for it while none wait. */
export function WaitingResults() {
  const person = useSession()?.user.id;
  // Leaving the runner with results that wait is a change of the address.
  const { pathname } = useLocation();
  const isRunner = /^\/test-runs\/\d+\/run$/.test(pathname);
  if (person === undefined || isRunner || localStorage.getItem(waitingResultsKey(person)) === null) return null;
  return <WaitingBar key={person} person={person} />;
}
