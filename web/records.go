package web

import (
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/hallcall/hallcall/internal/access"
	"github.com/hallcall/hallcall/internal/hall"
	"github.com/hallcall/hallcall/internal/records"
	"github.com/hallcall/hallcall/templates"
	"github.com/hallcall/hallcall/web/api"
)

// How much stands on one page: what is signed is whole but for very large halls.
const (
	daysShown    = 50
	recordsShown = 1000
)

// recordRoutes are the days of a hall and their records: /halls/{hall}/staff/…
func (s *Server) recordRoutes(r routes) {
	r.get(access.Manage, "/days", s.getDays)
	r.get(access.Manage, "/records/:day", s.getRecords)
	r.get(access.Manage, pathRecordFile, s.getRecordFile)
	r.get(access.Manage, "/records/:day/correct", s.getCorrection)
	r.post(access.Manage, "/records/:day/correct", s.postCorrection)
	r.get(access.Manage, "/records/:day/erase", s.getErase)
	r.post(access.Manage, "/records/:day/erase", s.postErase)
}

// pathRecordFile is where lists are downloaded, for as long as that takes.
const pathRecordFile = "/records/:day/file"

// pageNumber is the page that is asked for, from 1.
func pageNumber(c echo.Context) int {
	number, err := strconv.Atoi(c.QueryParam("page"))
	if err != nil || number < 1 {
		return 1
	}
	return min(number, 1_000_000)
}

// GET …/days?page=: the present day, then the closed ones, the latest first.
func (s *Server) getDays(c echo.Context) error {
	ctx, number := c.Request().Context(), pageNumber(c)
	h, err := s.cfg.Store.Hall(ctx, c.Param("hall"))
	if err != nil {
		return err
	}
	days, err := s.cfg.Store.Days(ctx, h.ID, hall.Page{Number: number, Size: daysShown})
	if err != nil {
		return err
	}
	page := daysView(&h, days, number)
	page.Page = s.staffPage(c, h.Layout.Name+", days", "records.css", "")
	return render(c, http.StatusOK, templates.DaysScreen(page))
}

// recordTable is the list that a page shows, attendance if none is named.
func recordTable(c echo.Context) (hall.RecordTable, error) {
	table := hall.RecordTable(c.QueryParam("table"))
	if table == "" {
		return hall.TableAttendance, nil
	}
	if !slices.Contains(hall.RecordTables, table) {
		return "", echo.ErrNotFound
	}
	return table, nil
}

// GET …/records/{day}?table=&page=
func (s *Server) getRecords(c echo.Context) error {
	table, err := recordTable(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	day, err := records.Find(ctx, s.cfg.Store, c.Param("hall"), c.Param("day"))
	if err != nil {
		return err
	}
	m := recordMapper{day: day, layout: &day.Hall.Layout, zone: day.Hall.Location(), table: table, number: pageNumber(c)}
	page, err := m.page(ctx)
	if err != nil {
		return err
	}
	page.Page = s.staffPage(c, day.Hall.Layout.Name+", "+page.Title, "records.css", "")
	return render(c, http.StatusOK, templates.RecordsScreen(page))
}

// GET …/records/{day}/file?table=&format=: the whole list.
func (s *Server) getRecordFile(c echo.Context) error {
	table, err := recordTable(c)
	if err != nil {
		return err
	}
	format := records.Format(c.QueryParam("format"))
	write, known := map[records.Format]func(io.Writer, records.Table) error{
		records.CSV: records.WriteCSV, records.XLSX: records.WriteXLSX,
	}[format]
	if !known {
		return echo.ErrNotFound
	}
	ctx := c.Request().Context()
	day, err := records.Find(ctx, s.cfg.Store, c.Param("hall"), c.Param("day"))
	if err != nil {
		return err
	}
	list, err := day.Table(ctx, table)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, format.ContentType())
	header.Set(echo.HeaderContentDisposition, records.Disposition("attachment", day.FileName(table, format)))
	err = api.Stream(c, func(w io.Writer) error { return write(w, list) })
	if err != nil {
		header.Del(echo.HeaderContentDisposition)
	}
	return err
}

// GET …/records/{day}/correct?table=&row=: the form.
func (s *Server) getCorrection(c echo.Context) error {
	return s.showCorrection(c, http.StatusOK, hall.CorrectionRequest{}, nil)
}

func (s *Server) showCorrection(c echo.Context, status int, request hall.CorrectionRequest, wrong error) error {
	table, err := recordTable(c)
	if err != nil {
		return err
	}
	h, err := s.cfg.Store.Hall(c.Request().Context(), c.Param("hall"))
	if err != nil {
		return err
	}
	request.Table, request.Row = table, c.QueryParam("row")
	if table == hall.TableLog || request.Row == "" {
		return echo.ErrNotFound
	}
	page := correctionView(&h, c.Param("day"), request, wrong)
	page.Page = s.staffPage(c, h.Layout.Name+", correction", "records.css", "")
	return render(c, status, templates.CorrectionScreen(page))
}

// POST …/records/{day}/correct?table=&row=
func (s *Server) postCorrection(c echo.Context) error {
	values, err := formValues(c)
	if err != nil {
		return err
	}
	request := hall.CorrectionRequest{
		Table: hall.RecordTable(c.QueryParam("table")), Row: c.QueryParam("row"), State: hall.CandidateState(values.Get("state")),
		Text: values.Get("text"), Reason: values.Get("reason"),
	}
	by, err := withKey(hall.Caller{By: visitor(c).User}, values)
	if err == nil {
		_, err = s.cfg.Store.Correct(c.Request().Context(), c.Param("hall"), c.Param("day"), request, by)
	}
	if status := api.StatusOf(err); err != nil && status < http.StatusInternalServerError && status != http.StatusNotFound {
		return s.showCorrection(c, status, request, err)
	}
	if err != nil {
		return err
	}
	s.sessions.keep(c, sessionNotice, "The correction stands beside what it corrects.")
	return c.Redirect(http.StatusSeeOther, recordsURL(c.Param("hall"), c.Param("day"), request.Table))
}

// GET …/records/{day}/erase: what would be erased, and the button that does it.
func (s *Server) getErase(c echo.Context) error {
	ctx := c.Request().Context()
	day, err := s.cfg.Store.Day(ctx, c.Param("hall"), c.Param("day"))
	if err != nil {
		return err
	}
	if day.State != hall.DayClosed {
		return &hall.Error{Code: hall.CodeWrongState, Message: "Only a closed day can be erased."}
	}
	return s.showPanel(c, http.StatusOK, erasePanel(c.Param("hall"), &day))
}

// POST …/records/{day}/erase
func (s *Server) postErase(c echo.Context) error {
	err := s.cfg.Store.EraseDay(c.Request().Context(), c.Param("hall"), c.Param("day"), hall.Caller{By: visitor(c).User})
	if err != nil {
		return err
	}
	s.sessions.keep(c, sessionNotice, "Names, ID numbers and texts of day "+c.Param("day")+" are erased.")
	return c.Redirect(http.StatusSeeOther, hallURL(c.Param("hall"), "staff", "days"))
}
