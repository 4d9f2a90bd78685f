/**
 * Work that one process at a time does for all. A lease saves work and decides nothing: a process that was paused may go on with
 * what it began while another one has taken over, so that every verb must bear both.
 */
export type Leases = {
  /**
   * Takes or extends the lease for `forMs`. Returns false while another holder has it. The clock of the database decides, whatever
   * those of the processes say; nothing is written for a lease that is another's.
   */
  take(name: string, holder: string, forMs: number): Promise<boolean>
  /** Gives it back, if this holder has it. */
  release(name: string, holder: string): Promise<void>
}
