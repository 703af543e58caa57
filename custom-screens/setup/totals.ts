/** The totals that a sign-in gives of a company: its clients and projects, archived ones included. */
export interface SetupTotals {
  totalClients: number;
  totalProjects: number;
}
