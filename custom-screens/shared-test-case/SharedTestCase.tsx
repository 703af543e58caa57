import { useEffect, useState } from 'react';
import { Splash } from '../../src/app/brand/Splash';
import { setDocumentTitle } from '../../src/app/brand/name';
import { navigate, usePath } from '../../src/app/session/navigation';
import { Page } from './Page';
import { Sheet } from './Sheet';
import { loadSharedTestCase, type SharedTestCase } from './loadShared';
import './shared-test-case.css';

/** `testcase/{link}`: a test case to be read by whoever has the link. One that opens nothing leads to the root. */
export default function SharedTestCasePage() {
  const link = decodeURIComponent(usePath().split('/')[2] ?? '');
  const [shared, setShared] = useState<SharedTestCase>();
  const [failure, setFailure] = useState<Error>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    loadSharedTestCase(link, stop.signal)
      .then((found) => {
        if (!found) return navigate('/', { replace: true });
        setDocumentTitle(`Testcase: ${found.name}`);
        setShared(found);
      })
      .catch((error: Error) => {
        if (!stop.signal.aborted) setFailure(error);
      });
    return () => stop.abort();
  }, [attempt, link]);

  if (shared)
    return (
      <Page>
        <Sheet shared={shared} />
      </Page>
    );
  if (!failure) return <Splash />;
  return (
    <Page>
      <div className="shared-failed" role="alert">
        <h1>The test case could not be loaded</h1>
        <p>{failure.message}</p>
        <button
          type="button"
          onClick={() => {
            setFailure(undefined);
            setAttempt(attempt + 1);
          }}
        >
          Try again
        </button>
      </div>
    </Page>
  );
}
