// What the rest of the page needs of the data.
export { BlockCache } from "./cache";
export { unpackBytes, unpackNumbers } from "./codec";
export { crc32 } from "./crc";
export { LiveColumn } from "./live_column";
export { LiveLink, type LinkState } from "./live";
export { LiveRun } from "./live_run";
export { loadRuns } from "./load";
export { PackedColumn } from "./packed_column";
export { PageRun } from "./page_run";
export { PoseRun } from "./pose_run";
export { PageError } from "./parts";
export { reasonOf } from "./reason";
