import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useRecordContext, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { localToday } from '../../src/app/data/localTime';
import { phone } from '../../src/app/theme/overrides';
import { TileFrame } from '../../src/app/screens/pages/TileFrame';
import { usePageRow } from '../../src/app/screens/pages/usePageRows';
import * as pageStyles from '../../src/app/screens/pages/pages.module.css';
import type { CoveredRequirement } from '../../src/product/answers/coverage';
import { useCoverage } from '../coverage/coverageApi';
import { ResultBar } from '../results/ResultNumbers';
import { PriorityMark } from '../shared-test-case/Marks';

const title = 'Requirements at risk';
const maxRows = 6;

/** The requirements that runs of the milestone test, of which a test case fails or none was ever run. */
export default function RequirementsAtRisk() {
  const milestone = useRecordContext<RaRecord<number>>();
  const project = Number(milestone?.project_id);
  const { data, error } = useCoverage({
    project,
    grouping: 'state',
    day: localToday(),
    q: '',
    milestone: Number(milestone?.id),
  });
  const atRisk = data?.requirements.filter(isAtRisk);
  return (
    <TileFrame
      title={title}
      total={atRisk?.length}
      target={`/coverage?project_id=${project}&milestone_id=${milestone?.id}`}
      waits={{ contentKey: title, now: !data && !error }}
    >
      {!atRisk || atRisk.length === 0 ? (
        <p className={pageStyles.tileNote} role="status">
          {error
            ? `The requirements could not be loaded: ${error.message}`
            : !data
              ? 'Loading…'
              : data.requirements.length === 0
                ? 'No run of this milestone tests a requirement, so it cannot be told which belong to it.'
                : 'All requirements that its runs test were run, and none of them fails.'}
        </p>
      ) : (
        <table className={pageStyles.tileRows}>
          <thead className="unseen">
            <tr>
              <th scope="col">Requirement</th>
              <th scope="col">Priority</th>
              <th scope="col">Coverage</th>
            </tr>
          </thead>
          <tbody>
            {atRisk.slice(0, maxRows).map((requirement) => (
              <Requirement key={requirement.id} requirement={requirement} />
            ))}
          </tbody>
        </table>
      )}
      {data && data.requirements.length > 0 && (
        <Box component="p" sx={{ px: 4, pb: 3, color: 'var(--t3)', fontSize: 12 }}>
          Counted are requirements with a test case in a run of this milestone. One without a test case belongs to none.
        </Box>
      )}
    </TileFrame>
  );
}

const isAtRisk = ({ is_gap: isGap, counts }: CoveredRequirement): boolean =>
  isGap || counts.failed > 0 || counts.blocked > 0;

function Requirement({ requirement }: { requirement: CoveredRequirement }) {
  const { id, key, name, priority, cases, counts } = requirement;
  const row = usePageRow(`requirements-at-risk:${id}`);
  return (
    <tr>
      <td>
        <Link to={`/requirements/${id}/view`} className={pageStyles.tileLink} {...row}>
          <Box component="span" sx={{ mr: 2, color: 'var(--t3)', fontWeight: 400 }}>
            {key}
          </Box>
          {name}
        </Link>
      </td>
      {/* On phones a tile has two columns: here how a requirement stands comes before its priority. */}
      <Box component="td" sx={{ [phone]: { display: 'none !important' } }}>
        {priority && <PriorityMark title={priority.title} />}
      </Box>
      <Box component="td" sx={{ [phone]: { display: 'table-cell !important' } }}>
        <Stack direction="row" sx={{ alignItems: 'center', gap: 2, width: 220, [phone]: { width: 'auto' } }}>
          <Box component="span" sx={{ flex: '0 0 120px', [phone]: { flexBasis: 48 } }}>
            <ResultBar counts={counts} />
          </Box>
          <span className="num">
            {formatNumber(counts.passed + counts.flaky)} of {formatNumber(cases)} passed
          </span>
        </Stack>
      </Box>
    </tr>
  );
}
