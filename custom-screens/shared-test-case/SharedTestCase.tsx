import { useCallback, useEffect } from 'react';
import { Splash } from '../../src/app/brand/Splash';
import { setDocumentTitle } from '../../src/app/brand/productTitle';
import { navigate, usePath } from '../../src/app/session/navigation';
import { SharedMessage } from '../../src/app/shared/SharedMessage';
import { SharedPage } from '../../src/app/shared/SharedPage';
import { useShared } from '../../src/app/shared/useShared';
import { SharedTestCaseContent } from './SharedTestCaseContent';
import { loadSharedTestCase } from './loadSharedTestCase';

const note = 'Shared test case, read-only';

/** `/testcase/{link}`: a test case, readable by everybody who has the link. An invalid link redirects to the root. */
export default function SharedTestCasePage() {
  const link = decodeURIComponent(usePath().split('/')[2] ?? '');
  const {
    content: testCase,
    failure,
    retry,
  } = useShared(useCallback((signal: AbortSignal) => loadSharedTestCase(link, signal), [link]));
  useEffect(() => {
    if (testCase === null) navigate('/', { replace: true });
    else if (testCase) setDocumentTitle(`Testcase: ${testCase.name}`);
  }, [testCase]);
  if (testCase)
    return (
      <SharedPage note={note}>
        <SharedTestCaseContent testCase={testCase} />
      </SharedPage>
    );
  if (!failure) return <Splash />;
  return (
    <SharedMessage
      note={note}
      title="The test case could not be loaded"
      message={failure.message}
      action="Try again"
      onAction={retry}
    />
  );
}
