import Button from '@mui/material/Button';
import { Link, useNavigate } from 'react-router';
import { Icon } from '../../../src/app/icons/Icon';
import { useDraft } from '../draft';
import { errorsOf } from '../places';
import { LossesDialog } from './LossesDialog';
import { OtherModules } from './OtherModules';
import { PlanTable } from './PlanTable';
import { RulesDialog } from './RulesDialog';
import { summaryOf } from './summary';
import { usePublish } from './usePublish';
import { usePublishKey } from './usePublishKey';

/** What publishing would do, and the publishing itself. */
export function PlanPanel() {
  const draft = useDraft();
  const { module, base, changes, purge, planning, discard, unreadable, takesShipped = false } = draft;
  const { publish, busy, question, confirm, shut } = usePublish();
  const navigate = useNavigate();
  const isNew = base.version === 0;
  const changed = isNew || changes.length > 0 || purge.length > 0 || takesShipped || unreadable !== null;
  const blocked = errorsOf(draft).length > 0 || draft.planError !== null;
  usePublishKey(changed && !question ? publish : undefined);
  const summary = summaryOf(draft);
  const shown = draft.plan?.valid && !unreadable ? draft.plan : draft.validPlan;
  return (
    <section className="studio-plan" aria-label="Migration plan" aria-busy={planning}>
      <header>
        <h2>Migration plan</h2>
        <p data-tone={summary.alarming ? 'urgent' : undefined} role="status">
          {summary.alarming && <Icon name="warning" />}
          <span>{summary.text}</span>
        </p>
        <span className="studio-grow" />
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
      {shown && shown.steps.length > 0 && <PlanTable steps={shown.steps} module={module} />}
      {question?.about === 'rules' && (
        <RulesDialog steps={question.steps} busy={busy} onConfirm={confirm} onClose={shut} />
      )}
      {question?.about === 'losses' && (
        <LossesDialog steps={question.steps} busy={busy} onConfirm={confirm} onClose={shut} />
      )}
    </section>
  );
}
