import { Level } from '../../../engine/definitions/level';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { Actor } from '../../../engine/access/actor';
import { isAmong } from '../../../engine/access/audience';
import { describeConditions, describeFieldRule, describeRuleForRole } from '../../../engine/access/describe-rules';
import type { Rule } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { roleHolder, type Role, type MatrixModule } from './api';
import { fixedReason } from './cells';
import type { Cell } from './Matrix';
import * as styles from './permissions.module.css';

interface RulesPanelProps {
  actor: Actor;
  cell: Cell | undefined;
  role: Role | undefined;
  module: MatrixModule | undefined;
  onWhy: () => void;
}

/** The rules of a module for a role's level, in words and as conditions. */
export function RulesPanel({ actor, cell, role, module, onWhy }: RulesPanelProps) {
  if (!cell || !role || !module) {
    return <p className={styles.panelHint}>Choose a cell of the matrix to read the rules behind it.</p>;
  }
  const rules = module.definition?.rules.filter((rule) => isAmong(roleHolder(role), rule)) ?? [];
  const lockReason = cell.action && fixedReason(actor, role, module, cell.action);
  return (
    <>
      <div className={styles.panelBody}>
        <Box component="h3" sx={{ fontWeight: 600, fontSize: 14 }}>
          {role.role_name}, {module.label}
          <Box
            component="small"
            sx={{ display: 'block', color: 'var(--t3)', fontWeight: 400, fontSize: 12, lineHeight: '16px' }}
          >
            Level {role.level}, {role.users === 1 ? '1 user' : `${role.users} users`}
          </Box>
        </Box>
        {rules.length > 0 ? (
          <ul className={styles.ruleBox}>
            {rules.map((rule, index) => (
              <RuleLine key={index} rule={rule} module={module} />
            ))}
          </ul>
        ) : (
          <p className={styles.panelText}>
            {module.definition
              ? `No rule restricts ${role.role_name} here: what is granted applies to every record of the company.`
              : 'There are no rules here.'}
          </p>
        )}
        {lockReason && (
          <p className={`${styles.panelText} ${styles.panelFixed}`}>
            <Icon name="lock" />
            {lockReason}
          </p>
        )}
      </div>
      <footer className={styles.panelFoot}>
        {module.definition && (
          <Button variant="outlined" startIcon={<Icon name="info" />} onClick={onWhy}>
            Why?
          </Button>
        )}
        {actor.level === Level.Installation && module.definition && (
          <Button
            component={Link}
            to={`/studio/${module.name}?at=/rules`}
            variant="text"
            startIcon={<Icon name="sliders" />}
          >
            Edit in the studio
          </Button>
        )}
      </footer>
    </>
  );
}

function RuleLine({ rule, module }: { rule: Rule; module: MatrixModule }) {
  const fields = module.definition && describeFieldRule(rule, module.definition);
  const condition = describeConditions([rule]);
  return (
    <li>
      <Icon name={rule.where ? 'filter' : 'lock'} />
      <div>
        {describeRuleForRole(rule)}
        {fields && <small>{fields}</small>}
        {condition && <code>{condition}</code>}
      </div>
    </li>
  );
}
