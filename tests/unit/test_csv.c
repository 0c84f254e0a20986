/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>

#include "measure/text/csv.h"
#include "tests/unit/unit.h"

static void prints(void (*print)(FILE *out, const cJSON *run), const char *json,
                   const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    cJSON *run = cJSON_Parse(json);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(run);
    assert_non_null(out);
    print(out, run);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    cJSON_Delete(run);
}

#define HEAD "run_id,device_id,device_name,bench,case_id,status,"
#define TAIL                                                                                       \
    "metric,unit,better,n,median,ci95_low,ci95_high,mean,stddev,mad,min,q1,q3,p95,p99,max,"        \
    "reason\n"
#define NO_METRIC ",,,,,,,,,,,,,,,,"

TEST(parameters_of_all_cases_are_columns)
{
    prints(cb_csv_summary,
           "{\"run_id\": \"r\", \"cases\": ["
           "{\"id\": \"a\", \"status\": \"ok\", \"params\": {\"wg-size\": 1, \"on\": true}},"
           "{\"id\": \"b\", \"status\": \"ok\", \"params\": {\"on\": false, \"delay\": \"0\"}},"
           "{\"id\": \"c\", \"status\": \"ok\"}]}",
           HEAD "wg-size,on,delay," TAIL "r,,,,a,ok,1,true,," NO_METRIC "\n"
                "r,,,,b,ok,,false,0," NO_METRIC "\n"
                "r,,,,c,ok,,,," NO_METRIC "\n");
}

/* RFC 4180: quotes around commas, quotes and line breaks; quotes inside doubled. */
TEST(quoting)
{
    prints(
        cb_csv_summary,
        "{\"run_id\": \"a,b\", \"cases\": [{\"id\": \"say \\\"x\\\"\", \"status\": \"two\\nlines\","
        "\"params\": {\"a,b\": \"carriage\\rreturn\"}, \"reason\": \"plain; 'text'\"}]}",
        HEAD "\"a,b\"," TAIL
             "\"a,b\",,,,\"say \"\"x\"\"\",\"two\nlines\",\"carriage\rreturn\"," NO_METRIC
             "plain; 'text'\n");
}

TEST(a_line_per_metric)
{
    prints(cb_csv_summary,
           "{\"run_id\": \"r\", \"devices\": [{\"id\": \"x\", \"name\": \"X\"}, {\"id\": \"y\","
           "\"name\": \"Y\"}], \"cases\": [{\"id\": \"a\", \"device\": \"y\", \"bench\": \"d\","
           "\"status\": \"ok\", \"reason\": null, \"metrics\": ["
           "{\"name\": \"t\", \"unit\": \"ns\", \"better\": \"lower\", \"n\": 3, \"median\": 0.1},"
           "{\"name\": \"u\", \"unit\": \"1\", \"better\": \"none\", \"n\": 1, \"max\": 1e300}]}]}",
           HEAD TAIL "r,y,Y,d,a,ok,t,ns,lower,3,0.10000000000000001,,,,,,,,,,,,\n"
                     "r,y,Y,d,a,ok,u,1,none,1,,,,,,,,,,,,1.0000000000000001e+300,\n");
}

TEST(samples)
{
    prints(cb_csv_samples,
           "{\"cases\": [{\"id\": \"a,b\", \"device\": \"x\", \"samples\": {\"t\": [3, 1.5], \"u\":"
           "[2]}}, {\"id\": \"c\", \"device\": \"x\", \"samples\": {}}, {\"id\": \"d\"}]}",
           "case_id,device_id,metric,index,value\n"
           "\"a,b\",x,t,0,3\n\"a,b\",x,t,1,1.5\n\"a,b\",x,u,0,2\n");
}

TEST(empty_run)
{
    prints(cb_csv_summary, "{\"cases\": []}", HEAD TAIL);
    prints(cb_csv_samples, "{\"cases\": []}", "case_id,device_id,metric,index,value\n");
}
