import { takeTasks } from "../../base/threads.ts";
import { packTasks } from "./packer.ts";

takeTasks(packTasks());
