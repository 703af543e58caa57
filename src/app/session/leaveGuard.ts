type LeaveGuard = () => Promise<boolean>;

let leaveGuard: LeaveGuard | null = null;

/** Sets the function that asks before the screen is left. Returns a function that removes it. */
export function setLeaveGuard(guard: LeaveGuard): () => void {
  leaveGuard = guard;
  return () => {
    if (leaveGuard === guard) leaveGuard = null;
  };
}

/** Whether the screen may be left: asks if there are unsaved changes. */
export function confirmLeave(): Promise<boolean> {
  return leaveGuard ? leaveGuard() : Promise.resolve(true);
}
