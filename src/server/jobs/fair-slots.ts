import { firstOf, getOrThrow } from '../../engine/values/lookups';
/** Slots for memory-intensive work: a limited number in all and per company. Waiting work is served in turn. */
export class FairSlots {
  private readonly takenSlots = new Map<number, number>();
  private readonly queue: { readonly company: number; begin: () => void }[] = [];
  private total = 0;

  constructor(
    private readonly maxSlots: number,
    private readonly perCompany: number,
  ) {}

  /**
   * Resolves with a function that releases the slot; undefined if the signal was aborted first. The company is null for
   * the installation.
   */
  async acquire(company: number | null, signal: AbortSignal): Promise<(() => void) | undefined> {
    const key = company ?? 0;
    if (signal.aborted) return undefined;
    if (!this.hasFreeSlot(key)) {
      const hasBegun = await new Promise<boolean>((resolve) => {
        const release = () => {
          const index = this.queue.indexOf(waitingJob);
          if (index >= 0) this.queue.splice(index, 1);
          resolve(false);
        };
        const begin = () => {
          signal.removeEventListener('abort', release);
          resolve(true);
        };
        const waitingJob = { company: key, begin };
        this.queue.push(waitingJob);
        signal.addEventListener('abort', release, { once: true });
      });
      if (!hasBegun) return undefined;
    } else this.occupy(key);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.leave(key);
    };
  }

  private hasFreeSlot(company: number): boolean {
    return this.total < this.maxSlots && (this.takenSlots.get(company) ?? 0) < this.perCompany;
  }

  private occupy(company: number): void {
    this.total++;
    this.takenSlots.set(company, (this.takenSlots.get(company) ?? 0) + 1);
  }

  private leave(company: number): void {
    this.total--;
    const left = getOrThrow(this.takenSlots, company) - 1;
    if (left > 0) this.takenSlots.set(company, left);
    else this.takenSlots.delete(company);
    const index = this.queue.findIndex((waitingJob) => this.hasFreeSlot(waitingJob.company));
    if (index < 0) return;
    const next = firstOf(this.queue.splice(index, 1));
    this.occupy(next.company);
    next.begin();
  }
}
