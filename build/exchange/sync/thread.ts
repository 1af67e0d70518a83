import { takeTasks } from "../../base/threads.ts";
import { scanSources } from "./scan.ts";

takeTasks(scanSources);
