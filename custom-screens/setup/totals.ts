/** What a sign-in says of a company: its clients and projects, archived ones included. */
export interface SetupTotals {
  totalClients: number;
  totalProjects: number;
}
