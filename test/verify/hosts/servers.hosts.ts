import { configuredHosts } from "../../../build/hosting/config/index.ts";
import { bucketServer } from "../../release/hosts.ts";
import { testHosts } from "./proven.ts";

testHosts([...configuredHosts, bucketServer], 18_080);
