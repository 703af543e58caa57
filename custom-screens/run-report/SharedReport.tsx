import { useCallback, useEffect } from 'react';
import { Splash } from '../../src/app/brand/Splash';
import { productTitle, setDocumentTitle } from '../../src/app/brand/productTitle';
import { fetchApi } from '../../src/app/session/api';
import { navigate, usePath } from '../../src/app/session/navigation';
import { SharedMessage } from '../../src/app/shared/SharedMessage';
import { SharedPage } from '../../src/app/shared/SharedPage';
import { useShared } from '../../src/app/shared/useShared';
import type { RunReport as Report } from '../../src/product/answers/run-report';
import { ReportContent } from './ReportContent';
import * as styles from './run-report.module.css';

const note = 'Shared report, read-only';

async function loadReport(link: string, signal: AbortSignal): Promise<Report | null> {
  const init = { method: 'POST', json: { link }, anonymous: true, signal };
  return (await fetchApi<{ data: Report | null }>('/shared-run-report', init)).data;
}

/** `/run-report/{link}`: the report of a run, readable by everybody who has the link. */
export default function SharedReport() {
  const link = decodeURIComponent(usePath().split('/')[2] ?? '');
  const {
    content: report,
    failure,
    retry,
  } = useShared(useCallback((signal: AbortSignal) => loadReport(link, signal), [link]));
  useEffect(() => {
    if (report !== undefined) setDocumentTitle(report ? `Report: ${report.name}` : 'Link not found');
  }, [report]);
  if (failure) {
    return (
      <SharedMessage
        note={note}
        title="The report could not be loaded"
        message={failure.message}
        action="Try again"
        onAction={retry}
      />
    );
  }
  if (report === undefined) return <Splash />;
  if (report === null) {
    return (
      <SharedMessage
        note={note}
        title="This link is not valid"
        message="It was renewed or revoked, or the run was deleted. Ask the sender for a new link."
        action={`Go to ${productTitle()}`}
        onAction={() => navigate('/')}
      />
    );
  }
  return (
    <SharedPage note={note}>
      <div className={styles.page}>
        <ReportContent report={report} link={link} />
      </div>
    </SharedPage>
  );
}
