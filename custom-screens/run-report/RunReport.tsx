import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useParams } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { NoAccess } from '../../src/app/states/NoAccess';
import { useFigures } from '../../src/app/charts/useFigures';
import { Icon } from '../../src/app/icons/Icon';
import { PageActions, usePage } from '../../src/app/layout/page';
import * as sharedStyles from '../../src/app/shared/shared.module.css';
import { FailedState } from '../../src/app/states/FailedState';
import * as statesStyles from '../../src/app/states/states.module.css';
import type { RunReport as Report } from '../../src/product/answers/run-report';
import { ReportContent } from './ReportContent';
import { SignOffButton } from './SignOffButton';
import * as styles from './run-report.module.css';

/** The report of a run for those who are signed in: what the public link shows, to be printed. */
export default function RunReport() {
  const id = Number(useParams().id);
  if (!Number.isSafeInteger(id)) return <NoAccess />;
  return <LoadedReport key={id} id={id} />;
}

function LoadedReport({ id }: { id: number }) {
  const { actor } = useDefinitions();
  const resources = ['run-entries', 'attempts', 'test-runs'];
  const { data: report, error, refetch } = useFigures<Report>(`/test-runs/${id}/report`, resources);
  const back = { to: `/test-runs/${id}/overview`, label: 'Overview' };
  usePage({ title: 'Report', note: report && [report.key, report.name].filter(Boolean).join(' '), back });
  if (!report) {
    if (!error)
      return (
        <Box
          className={statesStyles.skeleton}
          component="span"
          sx={{ height: 320, my: 6, mx: 'auto', width: 'min(1040px, 90%)' }}
          role="status"
          aria-label="Loading…"
        />
      );
    const isMissing = 'status' in error && error.status === 404;
    return (
      <FailedState
        title={isMissing ? 'Test Run not found, or you have no access' : 'The report could not be loaded'}
        message={isMissing ? undefined : error.message}
        onRetry={isMissing ? undefined : () => void refetch()}
        link={{ to: '/test-runs', label: 'All test runs' }}
      />
    );
  }
  return (
    <>
      <PageActions>
        {!actor.viewer && isGranted(actor, 'test-runs', 'edit') && <SignOffButton run={id} />}
        <Button variant="contained" startIcon={<Icon name="print" />} onClick={() => window.print()}>
          <span>
            Print<span className={styles.asPdf}> or save as PDF</span>
          </span>
        </Button>
      </PageActions>
      <div className={`${sharedStyles.shared} ${styles.page}`} tabIndex={0} role="region" aria-label="Report">
        <ReportContent report={report} />
      </div>
    </>
  );
}
