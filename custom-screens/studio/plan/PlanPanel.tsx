import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { Icon } from '../../../src/app/icons/Icon';
import { useDraft } from '../draft';
import { errorsOf } from '../places';
import { PlanTable } from './PlanTable';
import { summaryOf } from './summary';

/** What publishing would do, and the publishing itself. */
export function PlanPanel() {
  const draft = useDraft();
  const { module, changes, purge, planning, discard, unreadable } = draft;
  const hasChanges = changes.length > 0 || purge.length > 0 || unreadable !== null;
  const summary = summaryOf(draft);
  const shown = draft.plan?.valid && !unreadable ? draft.plan : draft.validPlan;
  const blocked = errorsOf(draft).length > 0 || draft.planError !== null;
  return (
    <section className="studio-plan" aria-label="Migration plan" aria-busy={planning}>
      <header>
        <h2>Migration plan</h2>
        <p data-tone={summary.alarming ? 'urgent' : undefined} role="status">
          {summary.alarming && <Icon name="warning" />}
          {summary.text}
        </p>
        <span className="studio-grow" />
        <Button variant="text" disabled={!hasChanges} onClick={discard}>
          Discard draft
        </Button>
        {module.version > 0 && (
          <Button component={Link} to={`/studio/${module.name}/versions?compare=draft`} variant="outlined">
            Compare with version {module.version}
          </Button>
        )}
        <Button variant="contained" startIcon={<Icon name="upload" />} disabled={!hasChanges || blocked}>
          Publish
        </Button>
      </header>
      {shown && shown.steps.length > 0 && <PlanTable steps={shown.steps} module={module} />}
    </section>
  );
}
