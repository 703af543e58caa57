import Button from '@mui/material/Button';
import { Link, useNavigate } from 'react-router';
import { Icon } from '../../../icons/Icon';
import { useDraft } from '../draft';
import { OtherModules } from './OtherModules';
import { PlanTable } from './PlanTable';
import { planSummary } from './planSummary';
import { hasChanges, type Publishing } from './usePublish';
import * as studioStyles from '../studio.module.css';
import * as styles from './plan.module.css';

/** The migration plan, and the button that publishes. */
export function PlanPanel({ publishing }: { publishing: Publishing }) {
  const draft = useDraft();
  const { module, base, planning, discard, unreadable } = draft;
  const { publish, busy } = publishing;
  const navigate = useNavigate();
  const isNew = base.version === 0;
  const changed = hasChanges(draft);
  const blocked = unreadable !== null || draft.plan?.valid === false || draft.planError !== null;
  const summary = planSummary(draft);
  const shown = draft.plan?.valid && !unreadable ? draft.plan : draft.validPlan;
  return (
    <section className={styles.studioPlan} aria-label="Migration plan" aria-busy={planning}>
      <header>
        <h2>Migration plan</h2>
        <p data-tone={summary.alarming ? 'urgent' : undefined} role="status">
          {summary.alarming && <Icon name="warning" />}
          <span>{summary.text}</span>
        </p>
        <span className={studioStyles.studioGrow} />
        <Button
          variant="text"
          disabled={!changed || busy}
          onClick={() => {
            discard();
            if (isNew) void navigate('/studio');
          }}
        >
          Discard draft
        </Button>
        {!isNew && (
          <Button
            component={Link}
            to={`/studio/${module.name}/versions?from=${base.version}&to=draft`}
            variant="outlined"
          >
            Compare with version {base.version}
          </Button>
        )}
        <Button
          variant="contained"
          startIcon={<Icon name="upload" />}
          aria-keyshortcuts="Control+S"
          disabled={!changed || blocked || busy}
          onClick={publish}
        >
          Publish
        </Button>
      </header>
      <OtherModules />
      {changed && <PlanTable steps={shown?.steps ?? []} module={module} />}
    </section>
  );
}
