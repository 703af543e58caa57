export { default as MilestoneStanding } from './MilestoneStanding';
export { default as ProjectMilestone } from './ProjectMilestone';
export { default as RequirementsAtRisk } from './RequirementsAtRisk';
export { default as TrendTile } from './TrendTile';
